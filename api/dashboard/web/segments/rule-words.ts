import type { Condition, Rules } from '../data/segments/draft.ts';
import { countryName } from '../format/countries.ts';
import { formatPercents, formatUtcDay } from '../format/format.ts';
import { language, locale } from '../texts/language.ts';
import { t } from '../texts/t.ts';

const MOST_LETTERS = 140;

/** A rule in a line, for a list: `Country is one of Germany, Austria and tag plan is gold`. */
export function ruleInWords(rules: Rules): string {
  const said = inWords(rules);
  const text = `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}

function inWords(rules: Rules): string {
  const parts = rules.conditions.map((each) =>
    'conditions' in each ? `(${inWords(each as Rules)})` : conditionInWords(each as Condition),
  );
  return parts.join(rules.match === 'all' ? t.segments.and : t.segments.or);
}

function conditionInWords(condition: Condition): string {
  const { field, operator } = condition;
  const name = [withinSentence(t.rule.fields[field]), ...namedBy(condition)].join(' ');
  const comparison = t.rule.operators[operator];
  if ('days' in condition) return `${name} ${comparison.replace('…', String(condition.days))}`;
  return [name, comparison, ...comparedWith(condition)].join(' ');
}

/** German nouns keep their capital. */
const withinSentence = (name: string): string => (language === 'de' ? name : name.toLocaleLowerCase(locale));

/** A tag or category by its number: a lookup per row would cost more than it helps. */
function namedBy(condition: Condition): string[] {
  if ('key' in condition) return [condition.key];
  if ('delivery_id' in condition) return [String(condition.delivery_id)];
  return 'category_id' in condition ? [String(condition.category_id)] : [];
}

function comparedWith(condition: Condition): string[] {
  if ('values' in condition) {
    return [
      condition.values.map((each) => (condition.field === 'country' ? countryName(each) : each)).join(', '),
    ];
  }
  if ('value' in condition) return [condition.value];
  if ('below' in condition) return [formatPercents(condition.from / 100, condition.below / 100)];
  return 'date' in condition ? [formatUtcDay(new Date(`${condition.date}T00:00:00Z`))] : [];
}
