"""Plays calls through the Python client as it is installed: one JSON object a line, in and out.
``abort`` ends the call that runs."""

import base64
import json
import sys
import threading
import traceback

from broadside import ApiError, Broadside, Cancellation, Form, open_session

running = Cancellation()


def snake(name):
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name.replace("-", "_"))


def play(line, cancellation):
    retries = []
    options = dict(line.get("options", {}))
    aborts = options.pop("abortOnRetry", False)

    def on_retry(retry):
        retries.append({"waitMs": retry.wait * 1000, "reason": retry.reason})
        if aborts:
            cancellation.cancel()

    try:
        settings = settings_of(line["settings"])
        if "person" in line:
            base_url = settings.pop("base_url")
            settings["session"] = open_session(base_url, **line["person"], **settings)
            settings["base_url"] = base_url
        client = Broadside(**settings, on_retry=on_retry)
        parts = [line["body"]] if "body" in line else []
        if "form" in line:
            parts = [form_of(line["form"])]
        named = {snake(name): value for name, value in {**line.get("headers", {}), **line.get("query", {})}.items()}
        named = {f"{name}_" if name == "from" else name: value for name, value in named.items()}
        method = getattr(client, snake(line["operation"]))
        called = method(*line["path"], *parts, **named, **settings_of(options), cancellation=cancellation)
        return {"value": value_of(called, line.get("read")), "retries": retries}
    except Exception as error:
        return {"error": describe(error), "retries": retries}


def form_of(form):
    file = form["file"]
    return Form(form["fields"], {file["field"]: ("photo.png", base64.b64decode(file["base64"]))})


def settings_of(given):
    settings = {snake(name): value for name, value in given.items()}
    if "timeout_ms" in settings:
        settings["timeout"] = settings.pop("timeout_ms") / 1000
    return settings


def value_of(called, read):
    if read == "items":
        return list(called)
    if read == "page":
        page = called.page()
        return {"data": page.data, "meta": page.meta}
    return called


def describe(error):
    is_api = isinstance(error, ApiError)
    name = type(error).__name__
    return {
        "name": "cancelled" if name == "CancelledError" else name,
        "status": error.status if is_api else None,
        "errors": error.errors if is_api else None,
        "requestId": error.request_id if is_api else None,
        "retryAfterSeconds": error.retry_after if is_api else None,
        "message": str(error),
        "whole": "".join(traceback.format_exception(type(error), error, error.__traceback__)),
    }


def run(line, cancellation):
    print(json.dumps(play(line, cancellation)), flush=True)


for text in sys.stdin:
    if text.strip() == "abort":
        running.cancel()
        continue
    running = Cancellation()
    threading.Thread(target=run, args=(json.loads(text), running), daemon=True).start()
