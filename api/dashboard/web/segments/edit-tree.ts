import type { ConditionDraft, GroupDraft } from '../data/segments/draft.ts';

type Node = GroupDraft | ConditionDraft;

/** The tree with this node in place of the one with its id. */
export const replaceNode = (group: GroupDraft, node: Node): GroupDraft =>
  group.id === node.id && node.kind === 'group'
    ? node
    : mapMembers(group, (each) => (each.id === node.id ? node : each));

/** The tree without the node; a group that is left with nothing goes, too, except for the outermost. */
export function removeNode(group: GroupDraft, id: string): GroupDraft {
  const members = group.members
    .filter((each) => each.id !== id)
    .map((each) => (each.kind === 'group' ? removeNode(each, id) : each))
    .filter((each) => each.kind === 'condition' || each.members.length > 0);
  return { ...group, members };
}

export const addTo = (group: GroupDraft, parentId: string, node: Node): GroupDraft =>
  group.id === parentId
    ? { ...group, members: [...group.members, node] }
    : mapMembers(group, (each) => (each.kind === 'group' ? addTo(each, parentId, node) : each));

function mapMembers(group: GroupDraft, change: (node: Node) => Node): GroupDraft {
  const members = group.members.map((each) => {
    const changed = change(each);
    return changed === each && each.kind === 'group' ? mapMembers(each, change) : changed;
  });
  return { ...group, members };
}
