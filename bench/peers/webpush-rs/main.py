"""webpush-rs, its blocking call on as many threads as messages may be under way: what bench/peers/protocol.ts asks."""

import json
import resource
import sys
from concurrent.futures import ThreadPoolExecutor

import webpush_rs


def cpu_us():
    """User and system time of this process and of the children it waited for."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(1e6 * sum(usage.ru_utime + usage.ru_stime for usage in usages))


def send_all(job, threads):
    before = cpu_us()
    payload = job["payload"].encode()

    def send(one):
        try:
            status = webpush_rs.send_one(
                one["endpoint"], one["p256dh"], one["auth"], job["privateKey"], job["subject"], payload
            )
            return "" if 200 <= status < 300 else f"answered {status}"
        except Exception as error:  # whatever it is, the message was not sent
            return repr(error)

    failures = [error for error in threads.map(send, job["subscriptions"]) if error]
    return {
        "sent": len(job["subscriptions"]) - len(failures),
        "failed": len(failures),
        "error": failures[0] if failures else "",
        "cpu_us": cpu_us() - before,
    }


with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)
with ThreadPoolExecutor(given["concurrency"]) as pool:
    print(json.dumps({"ready": True}), flush=True)
    while sys.stdin.readline():
        print(json.dumps(send_all(given, pool)), flush=True)
