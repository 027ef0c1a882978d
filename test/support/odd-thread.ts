import { threadId } from 'node:worker_threads';
import { answerBeside } from '../../engine/network/beside.ts';

/** What a thread that reads for others may come to. */
answerBeside((wish: 'answer' | 'hang' | 'throw' | 'grow') => {
  const kept: number[][] = [];
  while (wish === 'hang' || wish === 'grow') if (wish === 'grow') kept.push(Array(1_000_000).fill(0.5));
  if (wish === 'throw') throw new Error('odd');
  return { thread: threadId };
});
