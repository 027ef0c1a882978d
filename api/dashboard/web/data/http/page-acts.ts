/** What can be done on the page that is open, as the command menu offers it. */
export interface PageAct {
  readonly label: string;
  readonly run: () => void;
}

export interface PageActs {
  /** @returns a function that takes it away. */
  add(act: PageAct): () => void;
  list(): readonly PageAct[];
}

export function createPageActs(): PageActs {
  const acts = new Set<PageAct>();
  return {
    add: (act) => {
      acts.add(act);
      return () => void acts.delete(act);
    },
    list: () => [...acts],
  };
}
