import { Command, InvalidArgumentError } from 'commander';
import { play } from './play.ts';
import { targets } from './targets.ts';

const MOST_SECONDS = 86_400;
const MOST_SEED = 2 ** 31 - 1;

const whole =
  (most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1 || value > most)
      throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
    return value;
  };

const names = targets.map(({ name }) => name);
const command = new Command('npm run fuzz --')
  .description(
    'Plays made-up input at what reads strangers’ words: no throw, no wrong answer, no long time.\n\n' +
      targets.map(({ name, holds }) => `  ${name.padEnd(10)} ${holds}`).join('\n'),
  )
  .option('--seconds <n>', 'how long in all', whole(MOST_SECONDS), 60)
  .option('--seed <n>', 'the cases that are drawn', whole(MOST_SEED))
  .option('--only <name>', `one of ${names.join(', ')}`)
  .parse();
const {
  seconds,
  seed = 1 + Math.floor(Math.random() * MOST_SEED),
  only,
} = command.opts<{
  seconds: number;
  seed?: number;
  only?: string;
}>();
const chosen = targets.filter(({ name }) => only === undefined || name === only);
if (chosen.length === 0) command.error(`There is no target ${only}. Choose one of ${names.join(', ')}.`);

let stopped = false;
process.once('SIGINT', () => {
  stopped = true;
  console.log('\nEnds after this target. Press Ctrl+C again to end at once.');
});

console.log(`seed ${seed}, ${seconds} s\n\ntarget           cases   seconds`);
for (const target of chosen) {
  if (stopped) break;
  const { name, cases, seconds: took, broken } = await play(target, seed, seconds / chosen.length);
  console.log(`${name.padEnd(12)} ${String(cases).padStart(9)} ${took.toFixed(1).padStart(9)}`);
  if (broken === null) continue;
  process.exitCode = 1;
  console.error(`\n${name} broke:\n${broken}\nagain: npm run fuzz -- --only ${name} --seed ${seed}\n`);
}
