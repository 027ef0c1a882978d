import { spawn } from 'node:child_process';

/**
 * Runs npm scripts at once, since most of a check has one thread, and prints what each has said when it has ended.
 * Fails where one of them does, after all have ended: `node test/support/check-side-by-side.ts check:types check:rules`.
 */
async function run(name: string): Promise<boolean> {
  const child = spawn('npm', ['run', '--silent', name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows npm is a script.
    shell: process.platform === 'win32',
  });
  let said = '';
  const keep = (chunk: string): void => {
    said += chunk;
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  process.stdout.write(said);
  if (code !== 0) console.error(`npm run ${name} failed`);
  return code === 0;
}

const passed = await Promise.all(process.argv.slice(2).map(run));
if (passed.includes(false)) process.exitCode = 1;
