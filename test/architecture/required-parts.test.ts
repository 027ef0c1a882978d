// tier: core
import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeBrowser } from '../support/browsers/describe-browsers.ts';
import { describeHelm } from '../support/chart/helm.ts';
import { describePgBouncer } from '../support/describe-pgbouncer.ts';
import { describePrometheus } from '../support/describe-prometheus.ts';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { describeImages } from '../support/release/build-images.ts';

afterEach(() => void vi.unstubAllEnvs());

/** A machine that has none of it. */
function takeAllAway(): void {
  vi.stubEnv('PATH', '');
  vi.stubEnv('JAVA_HOME', '');
}

describe('where CI requires a part, a machine without it fails', () => {
  it('for want of a browser', () => {
    takeAllAway();
    vi.stubEnv('REQUIRE_BROWSERS', '1');
    expect(() => describeBrowser('firefox', 'any', () => {})).toThrow('apt-get install firefox-esr');
    expect(() => describeBrowser('chromium', 'any', () => {})).toThrow('apt-get install chromium');
  });

  it('for want of Prometheus', () => {
    takeAllAway();
    vi.stubEnv('REQUIRE_PROMTOOL', '1');
    expect(() => describePrometheus('any', () => {})).toThrow(
      'apt-get install --no-install-recommends prometheus',
    );
  });

  it('for want of PgBouncer', () => {
    takeAllAway();
    vi.stubEnv('REQUIRE_PGBOUNCER', '1');
    expect(() => describePgBouncer('any', () => {})).toThrow(
      'apt-get install --no-install-recommends pgbouncer',
    );
  });

  it('for want of Helm', () => {
    takeAllAway();
    vi.stubEnv('HOME', '/none');
    vi.stubEnv('REQUIRE_HELM', '1');
    expect(() => describeHelm('any', () => {})).toThrow('go install helm.sh/helm');
  });

  it('for want of what builds images', () => {
    takeAllAway();
    vi.stubEnv('REQUIRE_IMAGES', '1');
    expect(() => describeImages('any', () => {})).toThrow('apt-get install --no-install-recommends buildah');
  });

  it('for want of Java', () => {
    takeAllAway();
    vi.stubEnv('REQUIRE_KAFKA', '1');
    expect(() => describeKafka('any', () => {})).toThrow(/java/i);
  });
});
