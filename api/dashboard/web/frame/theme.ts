import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { t } from '../texts/t.ts';

/** One accent. Shades are chosen for a contrast of at least 4.5:1 on every background. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: '650' },
  components: {
    Alert: { defaultProps: { variant: 'light' } },
    Anchor: { defaultProps: { inherit: true } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 } },
    // Otherwise every closed list of choices is in the page, hidden, and is positioned as the form appears.
    Combobox: { defaultProps: { keepMounted: false } },
    // The accent marks the next action; everything else is quiet.
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Modal: { defaultProps: { centered: true }, styles: { title: { fontWeight: 650 } } },
    // A menu holds its items alone: the focus begins at the first.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // A page has one header; a dialog's is none of the page's.
    ModalHeader: { defaultProps: { component: 'div' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t.actions.close } } },
    Select: { defaultProps: { allowDeselect: false, checkIconPosition: 'right' } },
    Tooltip: { defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: false } } },
  },
});

/** Of badges, notes and marks: the words on a light ground of the same colour. */
const wordsOnLight = Object.fromEntries(
  ['teal', 'green', 'lime', 'yellow', 'orange', 'red'].map((color) => [
    `--mantine-color-${color}-light-color`,
    `color-mix(in srgb, var(--mantine-color-${color}-9) 72%, black)`,
  ]),
);

/** Mantine's own quiet colours are below the contrast that WCAG 2.2 AA asks for. */
export const quietColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...wordsOnLight,
    '--mantine-color-dimmed': '#5b636d',
    '--mantine-color-placeholder': '#69717b',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
  },
  dark: {
    '--mantine-color-dimmed': '#a6abb3',
    '--mantine-color-placeholder': '#9aa0a8',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
  },
});
