"""How old evidence is, by GitHub's own timestamps."""

from datetime import datetime, timedelta


def moment(text: str | None) -> datetime | None:
    """Return the moment of an RFC 3339 text in UTC, or None when there is none or it is no day of the calendar."""
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None


def too_old(created_at: str | None, now: datetime, max_age_days: int) -> str | None:
    """Say why evidence made at `created_at` may no longer be used, or None; a time that is not known is too old.

    `now` carries its zone. A moment that lies ahead of it is a clock that goes wrong here, not a lie: GitHub made it.
    """
    made = moment(created_at)
    if made is None:
        return "GitHub does not say when it was made"
    age = now - made
    if age <= timedelta(days=max_age_days):
        return None
    return f"was made on {made:%Y-%m-%d}, {age.days} days ago; max_age_days is {max_age_days}"
