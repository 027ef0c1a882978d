import { type ReactNode, useId } from 'react';
import classes from './choice-bar.module.css';

export interface ChoiceBarProps<Value extends string> {
  readonly 'aria-label'?: string;
  readonly 'aria-labelledby'?: string;
  readonly data: readonly { readonly value: Value; readonly label: string; readonly disabled?: boolean }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** As wide as what holds it; otherwise as its words. */
  readonly fullWidth?: boolean;
  readonly small?: boolean;
}

/**
 * One of a few, side by side: radio buttons. The chosen one is coloured by CSS; the component library's own control
 * measures itself first, and so has the whole page laid out, which took a slow phone 150 ms in a form.
 */
export function ChoiceBar<Value extends string>(props: ChoiceBarProps<Value>): ReactNode {
  const { data, value, onChange, fullWidth = false, small = false } = props;
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={props['aria-label']}
      aria-labelledby={props['aria-labelledby']}
      className={classes.bar}
      data-full-width={fullWidth || undefined}
      data-small={small || undefined}
    >
      {data.map((each) => (
        <label key={each.value} className={classes.choice}>
          <input
            type="radio"
            name={name}
            value={each.value}
            checked={each.value === value}
            disabled={each.disabled ?? false}
            onChange={() => onChange(each.value)}
          />
          {each.label}
        </label>
      ))}
    </div>
  );
}
