"""The addresses and identities that fill GitHub's answers: repositories, users, the app, node ids."""

import base64
from dataclasses import dataclass
from typing import Final

from evalgate.edges.loopback.exchange import Json

BOT: Final = "github-actions[bot]"
ACTIONS_APP: Final = 15368
"""The one app that every job's token posts as."""

_OF_REPOSITORY: Final = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}
_OF_USER: Final = {
    "events_url": "/events{/privacy}",
    "followers_url": "/followers",
    "following_url": "/following{/other_user}",
    "gists_url": "/gists{/gist_id}",
    "organizations_url": "/orgs",
    "received_events_url": "/received_events",
    "repos_url": "/repos",
    "starred_url": "/starred{/owner}{/repo}",
    "subscriptions_url": "/subscriptions",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where one repository is: the API's address, and the site's (here the same)."""

    api: str
    name: str

    @property
    def repo(self) -> str:
        """Return the repository's address in the API."""
        return f"{self.api}/repos/{self.name}"

    @property
    def html(self) -> str:
        """Return the repository's address for people."""
        return f"{self.api}/{self.name}"


def node_id(kind: str, number: int | str) -> str:
    """Return an opaque id, the same for the same thing."""
    return base64.b64encode(f"{kind}:{number}".encode()).decode()


def user(api: str, login: str, id: int | None = None) -> Json:
    """Return an account; its number follows from its name unless told."""
    number = id if id is not None else 1000 + sum(login.encode()) * 7 + len(login)
    kind = "Bot" if login.endswith("[bot]") else "User"
    return {
        "login": login,
        "id": 41898282 if login == BOT else number,
        "node_id": node_id("User", login),
        "avatar_url": f"{api}/avatars/{number}",
        "gravatar_id": "",
        "url": f"{api}/users/{login}",
        "html_url": f"{api}/{login}",
        "type": kind,
        "site_admin": False,
        **{name: f"{api}/users/{login}{rest}" for name, rest in _OF_USER.items()},
    }


def repository(place: Place, id: int, *, fork: bool = False, private: bool = True) -> Json:
    """Return the short form of a repository, as runs and artifacts carry it."""
    owner, _, name = place.name.partition("/")
    return {
        "id": id,
        "node_id": node_id("Repository", id),
        "name": name,
        "full_name": place.name,
        "private": private,
        "owner": user(place.api, owner),
        "html_url": place.html,
        "description": None,
        "fork": fork,
        "url": place.repo,
        **{key: f"{place.repo}{rest}" for key, rest in _OF_REPOSITORY.items()},
    }


def full_repository(place: Place, id: int, default_branch: str, moment: str, *, fork: bool = False) -> Json:
    """Return a repository with everything that its own endpoint and pull requests say of it."""
    counts = ("forks", "forks_count", "open_issues", "open_issues_count", "size", "stargazers_count", "watchers")
    return {
        **repository(place, id, fork=fork),
        "default_branch": default_branch,
        "clone_url": f"{place.html}.git",
        "git_url": f"{place.html}.git",
        "ssh_url": f"{place.html}.git",
        "svn_url": place.html,
        **dict.fromkeys((*counts, "watchers_count", "network_count", "subscribers_count"), 0),
        **dict.fromkeys(("has_issues", "has_projects", "has_wiki", "has_downloads"), True),
        **dict.fromkeys(("has_pages", "has_discussions", "archived", "disabled"), False),
        **dict.fromkeys(("homepage", "language", "mirror_url", "license")),
        **dict.fromkeys(("created_at", "updated_at", "pushed_at"), moment),
        "visibility": "private",
    }


def app(api: str, id: int = ACTIONS_APP, name: str = "GitHub Actions") -> Json:
    """Return the app that a check run or comment was posted by."""
    slug = name.lower().replace(" ", "-")
    return {
        "id": id,
        "slug": slug,
        "node_id": node_id("App", id),
        "owner": user(api, "github"),
        "name": name,
        "description": None,
        "external_url": f"{api}/apps/{slug}/about",
        "html_url": f"{api}/apps/{slug}",
        "created_at": "2018-07-30T09:30:17Z",
        "updated_at": "2019-12-10T19:04:12Z",
        "permissions": {"actions": "write", "checks": "write", "contents": "write", "metadata": "read"},
        "events": [],
    }
