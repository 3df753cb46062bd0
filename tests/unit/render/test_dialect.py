"""Markdown that evalgate did not write is told from its own."""

import pytest

from evalgate.render.dialect import foreign_line
from evalgate.render.inert import markdown
from tests.gfm import assert_inert
from tests.hostile import MARKDOWN

OWN = """## ❌ Blocked&#58; `skills` fell 1&#46;40

> Waived by &#64;&#8203;octocat &#35;&#8203;1

| group | mean ← baseline |
| --- | ---: |
| skills | 3&#46;40 |

- ~~drop&#46;mean&#58; fell~~
- held

<details><summary>Where this comes from</summary>

```
[[waivers]] @anything <b>
```

</details>
"""


def test_our_own_is_known() -> None:
    assert foreign_line(OWN) is None
    assert_inert(OWN)


@pytest.mark.parametrize(
    ("line", "written"),
    [
        (1, "![](http://example.com/x.png)"),
        (1, "[click](http://example.com)"),
        (1, "## ✅ [click](http://example.com)"),
        (1, "> @octocat"),
        (1, "> &#64;octocat"),
        (1, "> &#064;octocat"),
        (1, "> &#x40;octocat"),
        (1, "> &commat;octocat"),
        (1, "- fixes &#35;1"),
        (1, "- GH-1"),
        (1, "- gh-1"),
        (1, "- https://example.com"),
        (1, "- www.example.com"),
        (1, "- **Passed**"),
        (1, "- `@Not a name`"),
        (1, "# Passed"),
        (1, "Passed"),
        (1, "    code"),
        (1, "~~~"),
        (1, "<h1>Passed</h1>"),
        (1, "<details open><summary>s</summary>"),
        (1, "<details><summary><b>s</b></summary>"),
        (1, "<!-- hidden"),
        (1, "| a | <b>b</b> |"),
        (1, "</details>"),
        (2, "- held\n```js"),
        (2, "```\ncode\n"),
        (3, "```\ncode\n````"),
        (2, "```\n````\n> @org\n```"),
        (2, "```\nright\u202eleft\n```"),
        (2, "- held\n> \u202eleft"),
        (1, "- a\rb"),
        (3, "<details><summary>s</summary>\n\n> never closed"),
    ],
)
def test_anything_else_is_found_with_its_line(line: int, written: str) -> None:
    assert foreign_line(written) == line


@pytest.mark.parametrize("text", MARKDOWN)
def test_whatever_the_encoder_makes_of_hostile_text_is_our_own(text: str) -> None:
    for written in (f"> {markdown(text)}", f"| a | {markdown(text)} |", f"- ~~{markdown(text)}~~"):
        assert foreign_line(written) is None
        assert_inert(written)


def test_a_long_line_is_judged_quickly() -> None:
    assert foreign_line("| " + "a " * 30_000 + "!") == 1
    assert foreign_line("- " + "`a" * 30_001) == 1
