import type { Output } from '../report/report.ts';
import { showReport } from '../report/show.ts';
import { listCases } from './cases.ts';
import { measureCases } from './measure.ts';
import { microReport } from './report.ts';

export interface MicroOptions {
  readonly rounds: number;
  readonly cryptoMbLibrary: string | null;
  readonly output: Output;
}

export async function runMicro({ rounds, cryptoMbLibrary, output }: MicroOptions): Promise<number> {
  const cases = listCases(cryptoMbLibrary, (reason) => console.error(`  ${reason}`));
  await showReport(microReport(measureCases(cases, rounds), rounds), output);
  return 0;
}
