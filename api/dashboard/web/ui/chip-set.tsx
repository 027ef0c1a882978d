import type { ReactNode } from 'react';
import classes from './chip-set.module.css';

export interface ChipSetProps<Key extends string> {
  readonly label: string;
  readonly chips: readonly { readonly key: Key; readonly label: string }[];
  readonly chosen: readonly Key[];
  readonly error?: string | undefined;
  /** In the order of the chips. */
  readonly onChange: (chosen: Key[]) => void;
}

/** Some of many, in as few lines as they need: checkboxes that look like chips. */
export function ChipSet<Key extends string>(props: ChipSetProps<Key>): ReactNode {
  const { label, chips, chosen, error, onChange } = props;
  const toggle = (key: Key, isOn: boolean): void =>
    onChange(
      chips.flatMap((each) => ((each.key === key ? isOn : chosen.includes(each.key)) ? [each.key] : [])),
    );
  return (
    <fieldset className={classes.set}>
      <legend>{label}</legend>
      <div className={classes.chips}>
        {chips.map((chip) => (
          <label key={chip.key} className={classes.chip}>
            <input
              type="checkbox"
              value={chip.key}
              checked={chosen.includes(chip.key)}
              onChange={(event) => toggle(chip.key, event.currentTarget.checked)}
            />
            {chip.label}
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
