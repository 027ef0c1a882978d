// webpush-go as its README shows, with the one client for all messages that Options.HTTPClient is for:
// what bench/peers/protocol.ts asks of a peer.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	webpush "github.com/SherClockHolmes/webpush-go"
)

type job struct {
	Subscriptions []struct {
		Endpoint string `json:"endpoint"`
		P256dh   string `json:"p256dh"`
		Auth     string `json:"auth"`
	} `json:"subscriptions"`
	Payload     string `json:"payload"`
	TTL         int    `json:"ttl"`
	Concurrency int    `json:"concurrency"`
	Subject     string `json:"subject"`
	PublicKey   string `json:"publicKey"`
	PrivateKey  string `json:"privateKey"`
}

type answer struct {
	Sent   int64  `json:"sent"`
	Failed int64  `json:"failed"`
	Error  string `json:"error"`
	CPU    int64  `json:"cpu_us"`
}

func main() {
	file, err := os.ReadFile(os.Args[1])
	must(err)
	var given job
	must(json.Unmarshal(file, &given))
	fmt.Println(`{"ready":true}`)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		line, err := json.Marshal(sendAll(&given))
		must(err)
		fmt.Println(string(line))
	}
}

func sendAll(given *job) answer {
	before := cpuUs()
	var result answer
	var next, sent, failed atomic.Int64
	var once sync.Once
	var lanes sync.WaitGroup
	for range given.Concurrency {
		lanes.Add(1)
		go func() {
			defer lanes.Done()
			for at := next.Add(1) - 1; at < int64(len(given.Subscriptions)); at = next.Add(1) - 1 {
				if err := send(given, int(at)); err == nil {
					sent.Add(1)
				} else {
					failed.Add(1)
					once.Do(func() { result.Error = err.Error() })
				}
			}
		}()
	}
	lanes.Wait()
	result.Sent, result.Failed, result.CPU = sent.Load(), failed.Load(), cpuUs()-before
	return result
}

var client = &http.Client{}

func send(given *job, at int) error {
	to := given.Subscriptions[at]
	response, err := webpush.SendNotification([]byte(given.Payload), &webpush.Subscription{
		Endpoint: to.Endpoint,
		Keys:     webpush.Keys{P256dh: to.P256dh, Auth: to.Auth},
	}, &webpush.Options{
		HTTPClient: client,
		// The library puts "mailto:" before it.
		Subscriber:      strings.TrimPrefix(given.Subject, "mailto:"),
		VAPIDPublicKey:  given.PublicKey,
		VAPIDPrivateKey: given.PrivateKey,
		TTL:             given.TTL,
	})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("answered %s", response.Status)
	}
	return nil
}

// User and system time of this process and of the children it waited for.
func cpuUs() int64 {
	var sum int64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		must(syscall.Getrusage(who, &usage))
		sum += usage.Utime.Sec*1_000_000 + int64(usage.Utime.Usec) + usage.Stime.Sec*1_000_000 + int64(usage.Stime.Usec)
	}
	return sum
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
