// tier: core
import { describe, expect, it } from 'vitest';
import { type ComposeFile, readCompose } from '../support/compose-environment.ts';

const compose = readCompose();
const roles = ['api', 'engine', 'reporting'];

describe('the containers of docker-compose.yml', () => {
  const servers = ['clickhouse', 'kafka', 'postgres'];

  it('confines every container: no privileges but those that are named, and a bound on its memory', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+g$/),
        pids_limit: expect.any(Number),
        logging: { options: { 'max-size': expect.any(String), 'max-file': expect.any(String) } },
      });
      if (!servers.includes(name)) expect(service, name).not.toHaveProperty('cap_add');
      expect(service, name).not.toHaveProperty('privileged');
    }
  });

  it('keeps the servers on a network without a route out, and publishes none of their ports', () => {
    expect(compose.networks).toMatchObject({ servers: { internal: true } });
    for (const name of servers) {
      expect(compose.services[name], name).toMatchObject({ networks: ['servers'] });
      expect(compose.services[name], name).not.toHaveProperty('ports');
    }
    for (const role of roles)
      expect(compose.services[role], role).toMatchObject({ networks: ['outside', 'servers', 'watched'] });
  });

  /** Services on a network with one of these. */
  const neighboursOf = (name: string): string[] =>
    Object.entries(compose.services).flatMap(([other, { networks = [] }]) =>
      other !== name && networks.some((network) => compose.services[name]?.networks?.includes(network))
        ? [other]
        : [],
    );

  it('shows the servers to roles alone: what watches reaches the roles, and Grafana Prometheus alone', () => {
    for (const name of servers)
      expect(neighboursOf(name).toSorted(), name).toEqual(
        [...roles, ...servers.filter((other) => other !== name)].toSorted(),
      );
    expect(neighboursOf('prometheus').toSorted()).toEqual([...roles, 'collector', 'grafana'].toSorted());
    expect(neighboursOf('grafana')).toEqual(['prometheus']);
    // Published ports need a network with a way out; all others have none.
    const open = Object.entries(compose.networks ?? {}).filter(([, network]) => network === null);
    expect(open.map(([name]) => name)).toEqual(['outside', 'dashboards']);
  });

  /** Named by a tag alone, or by no whole digest: what runs could change without a change here. */
  const unpinned = (file: ComposeFile): string[] =>
    Object.entries(file.services).flatMap(([name, { image = '', build }]) => {
      const stages = [...(build?.dockerfile_inline ?? '').matchAll(/^FROM (\S+) AS (\S+)$/gm)];
      // A stage upon an earlier one, or upon nothing, names no image.
      const known = new Set(['scratch', ...stages.map(([, , stage = '']) => stage)]);
      const bases = stages.map(([, base = '']) => base).filter((base) => !known.has(base));
      const images = build === undefined ? [image] : bases;
      return images.length > 0 &&
        images.every((each) => /^[a-z0-9./-]+:v?\d+(\.\d+)+\S*@sha256:[0-9a-f]{64}$/.test(each))
        ? []
        : [name];
    });

  it('names each image by its version and digest, those that ours is built on as well', () => {
    expect(unpinned(compose)).toEqual([]);
  });

  it.each(['postgres:18', 'postgres:18.6@sha256:4ef4', 'postgres@sha256:4ef4', ''])(
    'would notice a service with the image %j, one that may write, and one on every network',
    (image) => {
      const services = { ...compose.services, cache: { image } };
      expect(unpinned({ ...compose, services })).toEqual(['cache']);
    },
  );

  it('gives each service that writes a place for it, a volume or one in memory', () => {
    const writing = Object.keys(compose.services).filter(
      (name) => name !== 'collector' && name !== 'watching',
    );
    for (const name of writing) {
      const { tmpfs = [], volumes = [] } = compose.services[name] as { tmpfs?: string[]; volumes?: string[] };
      const places = [...tmpfs, ...volumes.map((volume) => volume.split(':')[1] ?? '')];
      expect(
        places.some((place) => place.startsWith('/tmp')),
        name,
      ).toBe(true);
    }
    // Results of its jobs take gigabytes, and what is in a tmpfs counts as memory.
    expect(compose.services.reporting).toMatchObject({ tmpfs: [], volumes: ['results:/tmp'] });
    const declared = Object.keys(compose.volumes ?? {});
    const used = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((each) => each.split(':')[0]),
    );
    expect([...new Set(used)].toSorted()).toEqual(declared.toSorted());
  });
});
