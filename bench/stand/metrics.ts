/** An engine process's own figures at `/metrics`. */
export interface ProcessFigures {
  /** User and system time of all its threads. */
  readonly cpuUs: number;
  /** The most memory it ever held. */
  readonly rssPeakMb: number;
}

export async function readProcessFigures(internalUrl: string): Promise<ProcessFigures> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text();
  return {
    cpuUs: sample(text, 'process_cpu_seconds_total') * 1e6,
    rssPeakMb: sample(text, 'broadside_process_peak_memory_bytes') / 1e6,
  };
}

/** A counter's samples together, over those of its labels that match. */
export async function readCounter(internalUrl: string, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

function sample(text: string, name: string): number {
  const line = text
    .split('\n')
    .find((candidate) => candidate.startsWith(`${name} `) || candidate.startsWith(`${name}{`));
  if (line === undefined) throw new Error(`/metrics has no ${name}`);
  return Number(line.slice(line.lastIndexOf(' ') + 1));
}
