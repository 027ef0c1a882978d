import com.google.gson.Gson;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import nl.martijndwars.webpush.Encoding;
import nl.martijndwars.webpush.Notification;
import nl.martijndwars.webpush.PushService;
import org.apache.http.Header;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.util.EntityUtils;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * nl.martijndwars:web-push, what bench/peers/protocol.ts asks of a peer: the library makes each request, and one
 * client of the JDK, over HTTP/2, sends all of them.
 */
public final class Peer {
  record Subscription(String endpoint, String p256dh, String auth) {}

  record Job(
      List<Subscription> subscriptions, String payload, int ttl, int concurrency, String subject, String publicKey,
      String privateKey) {}

  record Answer(int sent, int failed, String error, long cpu_us) {}

  private static final Gson JSON = new Gson();

  public static void main(String[] args) throws Exception {
    Security.addProvider(new BouncyCastleProvider());
    Job job = JSON.fromJson(Files.readString(Path.of(args[0])), Job.class);
    PushService service = new PushService(job.publicKey(), job.privateKey(), job.subject());
    HttpClient client = HttpClient.newBuilder().sslContext(trusting(System.getenv("SSL_CERT_FILE"))).build();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println(JSON.toJson(Map.of("ready", true)));
    while (lines.readLine() != null) System.out.println(JSON.toJson(sendAll(job, service, client)));
    System.exit(0);
  }

  private static Answer sendAll(Job job, PushService service, HttpClient client) throws InterruptedException {
    long before = cpuUs();
    AtomicInteger next = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    AtomicReference<String> error = new AtomicReference<>("");
    ExecutorService lanes = Executors.newFixedThreadPool(job.concurrency());
    for (int lane = 0; lane < job.concurrency(); lane++)
      lanes.submit(
          () -> {
            for (int at = next.getAndIncrement(); at < job.subscriptions().size(); at = next.getAndIncrement())
              try {
                send(job, job.subscriptions().get(at), service, client);
              } catch (Exception thrown) {
                failed.incrementAndGet();
                error.compareAndSet("", thrown.toString());
              }
          });
    lanes.shutdown();
    lanes.awaitTermination(1, TimeUnit.HOURS);
    int sent = job.subscriptions().size() - failed.get();
    return new Answer(sent, failed.get(), error.get(), cpuUs() - before);
  }

  private static void send(Job job, Subscription to, PushService service, HttpClient client) throws Exception {
    byte[] payload = job.payload().getBytes(StandardCharsets.UTF_8);
    Notification notification = new Notification(to.endpoint(), to.p256dh(), to.auth(), payload, job.ttl());
    HttpPost post = service.preparePost(notification, Encoding.AES128GCM);
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(to.endpoint()));
    for (Header header : post.getAllHeaders()) request.header(header.getName(), header.getValue());
    request.POST(HttpRequest.BodyPublishers.ofByteArray(EntityUtils.toByteArray(post.getEntity())));
    int status = client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    if (status / 100 != 2) throw new IllegalStateException("answered " + status);
  }

  private static SSLContext trusting(String pem) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream file = Files.newInputStream(Path.of(pem))) {
      int count = 0;
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(file))
        store.setCertificateEntry("authority-" + count++, one);
    }
    TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  /** User and system time of this process. */
  private static long cpuUs() {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1_000;
  }
}
