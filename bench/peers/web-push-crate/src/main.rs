//! The web-push crate as its README shows, one client for all messages: what bench/peers/protocol.ts asks of a peer.

use futures_util::{stream, StreamExt};
use serde_json::{json, Value};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use web_push::{
    ContentEncoding, IsahcWebPushClient, PartialVapidSignatureBuilder, SubscriptionInfo, Urgency,
    VapidSignatureBuilder, WebPushClient, WebPushMessageBuilder,
};

struct Job {
    subscriptions: Vec<(SubscriptionInfo, String)>,
    payload: Vec<u8>,
    ttl: u32,
    concurrency: usize,
    subject: String,
    vapid: PartialVapidSignatureBuilder,
    client: IsahcWebPushClient,
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_string()
}

/// scheme://host:port. The crate leaves the port out, which matters on a test host only.
fn origin(endpoint: &str) -> String {
    endpoint.splitn(4, '/').take(3).collect::<Vec<_>>().join("/")
}

fn load(file: &str) -> Job {
    let job: Value = serde_json::from_str(&std::fs::read_to_string(file).expect("the job")).expect("JSON");
    let subscriptions = job["subscriptions"].as_array().expect("a list").iter().map(|one| {
        let endpoint = text(&one["endpoint"]);
        let info = SubscriptionInfo::new(endpoint.clone(), text(&one["p256dh"]), text(&one["auth"]));
        (info, origin(&endpoint))
    });
    Job {
        subscriptions: subscriptions.collect(),
        payload: text(&job["payload"]).into_bytes(),
        ttl: job["ttl"].as_u64().expect("a number") as u32,
        concurrency: job["concurrency"].as_u64().expect("a number") as usize,
        subject: text(&job["subject"]),
        vapid: VapidSignatureBuilder::from_base64_no_sub(job["privateKey"].as_str().expect("a text"))
            .expect("a private key"),
        client: IsahcWebPushClient::new().expect("a client"),
    }
}

async fn send(job: &Job, info: &SubscriptionInfo, audience: &str) -> Result<(), String> {
    let mut signature = job.vapid.clone().add_sub_info(info);
    signature.add_claim("sub", job.subject.as_str());
    signature.add_claim("aud", audience);
    let mut builder = WebPushMessageBuilder::new(info);
    builder.set_ttl(job.ttl);
    builder.set_urgency(Urgency::Normal);
    builder.set_payload(ContentEncoding::Aes128Gcm, &job.payload);
    builder.set_vapid_signature(signature.build().map_err(|error| error.to_string())?);
    let message = builder.build().map_err(|error| error.to_string())?;
    job.client.send(message).await.map_err(|error| error.to_string())
}

async fn send_all(job: Arc<Job>) -> Value {
    let before = cpu_us();
    let results: Vec<Result<(), String>> = stream::iter(0..job.subscriptions.len())
        .map(|at| {
            let job = job.clone();
            // A task of its own, so that all cores encrypt.
            async move {
                tokio::spawn(async move {
                    let (info, audience) = &job.subscriptions[at];
                    send(&job, info, audience).await
                })
                .await
                .unwrap_or_else(|error| Err(error.to_string()))
            }
        })
        .buffer_unordered(job.concurrency)
        .collect()
        .await;
    let errors: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    json!({
        "sent": results.len() - errors.len(),
        "failed": errors.len(),
        "error": errors.first(),
        "cpu_us": cpu_us() - before,
    })
}

/// User and system time of this process and of the children it waited for.
fn cpu_us() -> i64 {
    [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN]
        .iter()
        .map(|who| unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(*who, &mut usage);
            let us = |time: libc::timeval| time.tv_sec as i64 * 1_000_000 + time.tv_usec as i64;
            us(usage.ru_utime) + us(usage.ru_stime)
        })
        .sum()
}

fn say(line: Value) {
    println!("{line}");
    io::stdout().flush().expect("standard output");
}

#[tokio::main]
async fn main() {
    let job = Arc::new(load(&std::env::args().nth(1).expect("the job's file")));
    say(json!({ "ready": true }));
    for line in io::stdin().lock().lines() {
        if line.is_err() {
            break;
        }
        let answer = send_all(job.clone()).await;
        say(answer);
    }
}
