"""pywebpush, the asynchronous call with one session for all messages: what bench/peers/protocol.ts asks of a peer."""

import asyncio
import json
import resource
import sys

import aiohttp
from py_vapid import Vapid
from pywebpush import webpush_async


def cpu_us():
    """User and system time of this process and of the children it waited for."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(1e6 * sum(usage.ru_utime + usage.ru_stime for usage in usages))


async def send_all(job, vapid, session):
    before = cpu_us()
    waiting = iter(job["subscriptions"])
    failures = []

    async def lane():
        for one in waiting:
            try:
                await webpush_async(
                    subscription_info={
                        "endpoint": one["endpoint"],
                        "keys": {"p256dh": one["p256dh"], "auth": one["auth"]},
                    },
                    data=job["payload"],
                    vapid_private_key=vapid,
                    # The library writes the audience into it: one for all would name the first push service.
                    vapid_claims={"sub": job["subject"]},
                    ttl=job["ttl"],
                    aiohttp_session=session,
                )
            except Exception as error:  # whatever it is, the message was not sent
                failures.append(repr(error))

    await asyncio.gather(*(lane() for _ in range(job["concurrency"])))
    return {
        "sent": len(job["subscriptions"]) - len(failures),
        "failed": len(failures),
        "error": failures[0] if failures else "",
        "cpu_us": cpu_us() - before,
    }


async def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    vapid = Vapid.from_string(job["privateKey"])
    connector = aiohttp.TCPConnector(limit=job["concurrency"])
    async with aiohttp.ClientSession(connector=connector) as session:
        print(json.dumps({"ready": True}), flush=True)
        loop = asyncio.get_running_loop()
        while await loop.run_in_executor(None, sys.stdin.readline):
            print(json.dumps(await send_all(job, vapid, session)), flush=True)


asyncio.run(main())
