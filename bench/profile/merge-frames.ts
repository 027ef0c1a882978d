import type { Frame } from '../report/report.ts';
import { type ProfileNode, selfTimes, type ThreadProfile } from './cpu-profile.ts';

interface Growing {
  readonly name: string;
  total: number;
  readonly children: Map<string, Growing>;
}

/** All threads as one tree: the kind of thread, then the call stack. Threads of a kind are added up. */
export function mergeFrames(profiles: readonly ThreadProfile[]): Frame {
  const root = growing('all threads');
  for (const { thread, profile } of profiles) {
    const byId = new Map(profile.nodes.map((node) => [node.id, node]));
    const times = selfTimes(profile);
    const top = profile.nodes[0];
    if (top !== undefined) add(childOf(root, `${thread} thread`), top, { byId, times });
  }
  root.total = sum(root);
  return frozen(root);
}

interface Source {
  readonly byId: ReadonlyMap<number, ProfileNode>;
  readonly times: ReadonlyMap<number, number>;
}

/** @returns the time of the node and of all below it. */
function add(into: Growing, node: ProfileNode, source: Source): number {
  let total = source.times.get(node.id) ?? 0;
  for (const id of node.children ?? []) {
    const child = source.byId.get(id);
    if (child !== undefined) total += add(childOf(into, nameOf(child)), child, source);
  }
  into.total += total;
  return total;
}

const growing = (name: string): Growing => ({ name, total: 0, children: new Map() });

function childOf(parent: Growing, name: string): Growing {
  const child = parent.children.get(name) ?? growing(name);
  parent.children.set(name, child);
  return child;
}

function nameOf({ callFrame: { functionName, url } }: ProfileNode): string {
  const file = url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/node_modules\//, '')
    .replace(/^.*?\/(engine|api)\//, '$1/');
  return `${functionName === '' ? '(anonymous)' : functionName}${file === '' ? '' : ` ${file}`}`;
}

const sum = ({ children }: Growing): number =>
  [...children.values()].reduce((total, child) => total + child.total, 0);

const frozen = ({ name, total, children }: Growing): Frame => ({
  name,
  total,
  children: [...children.values()].filter((child) => child.total > 0).map(frozen),
});
