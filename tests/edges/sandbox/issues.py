#!/usr/bin/env python3
"""A command as a team would write it: it reads and writes issues of octo/shop through GITHUB_API_URL."""

import json
import os
import sys
import urllib.request
from typing import Any

API = os.environ["GITHUB_API_URL"]


def ask(path: str, method: str = "GET", body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{API}/{path}", data, method=method)
    request.add_header("Authorization", f"Bearer {os.environ['GITHUB_TOKEN']}")
    with urllib.request.urlopen(request, timeout=5) as answer:
        return json.loads(answer.read() or "null")


match sys.argv[1:]:
    case ["show", number]:
        print(ask(f"repos/octo/shop/issues/{number}")["title"])
    case ["list"]:
        print(*[issue["number"] for issue in ask("repos/octo/shop/issues")])
    case ["comment", number]:
        ask(f"repos/octo/shop/issues/{number}/comments", "POST", {"body": sys.stdin.read()})
    case ["said", number, text]:
        said = [comment["body"] for comment in ask(f"repos/octo/shop/issues/{number}/comments")]
        sys.exit(0 if text in said else f"nobody said {text!r}, but {said}")
    case ["query"]:
        ask("graphql", "POST", {"query": "query Titles { repository { id } }"})
    case ["mutate"]:
        ask("graphql", "POST", {"query": "mutation Close { closeIssue(input: {}) { clientMutationId } }"})
    case _:
        sys.exit("what?")
