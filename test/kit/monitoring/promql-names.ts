/** What an expression reads: a series by its name, with the labels that it selects by. */
export interface Selected {
  readonly name: string;
  /** Label → the values named; null: whatever Grafana puts in. */
  readonly labels: Readonly<Record<string, readonly string[] | null>>;
}

export interface Read {
  readonly series: readonly Selected[];
  /** Labels that results are grouped or matched by. */
  readonly groups: readonly string[];
}

const words = new Set(['and', 'or', 'unless', 'bool']);

/** As far as PromQL is used here: whatever is neither a function, a number nor a known word is a series. */
export function readExpression(expr: string): Read {
  const groups: string[] = [];
  const plain = expr
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_all, labels: string) => {
      groups.push(...labels.split(',').map((label) => label.trim()));
      return '';
    })
    .replaceAll(/\[[^\]]*\]/g, '');
  const series = [...plain.matchAll(/(?<![\w."$])([a-zA-Z_:][\w:]*)\s*(\{[^}]*\}|\()?/g)]
    .filter(([, name = '', after]) => after !== '(' && !words.has(name))
    .map(([, name = '', matchers = '']) => ({ name, labels: labelsOf(matchers) }));
  return { series, groups };
}

const labelsOf = (matchers: string): Selected['labels'] =>
  Object.fromEntries(
    [...matchers.matchAll(/(\w+)\s*(?:=~|=)\s*"([^"]*)"/g)].map(([, label = '', value = '']) => [
      label,
      value.startsWith('$') ? null : value.split('|'),
    ]),
  );
