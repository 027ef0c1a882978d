import type { BroadsideState, PromptColours, PromptTexts } from '../broadside.d.ts';

/** Those of the bar come with its code. */
export type Words = Omit<PromptTexts, 'question' | 'accept' | 'later'>;

export const defaultTexts: Words = {
  subscribe: 'Turn notifications on',
  unsubscribe: 'Turn notifications off',
  subscribed: 'Notifications are on.',
  unsubscribed: 'Notifications are off.',
  denied: 'Notifications are blocked. Allow them in your browser’s settings for this site.',
  homeScreen:
    'To get notifications here, tap Share, then “Add to Home Screen” with “Open as Web App” on, and open the page from there.',
  failed: 'That did not work. Try again later.',
};

/** The text after the reader was asked. */
export const answerOf = (texts: Words, state: BroadsideState): string => {
  const answers: Partial<Record<BroadsideState, string>> = {
    subscribed: texts.subscribed,
    'opted-out': texts.unsubscribed,
    denied: texts.denied,
    'needs-home-screen': texts.homeScreen,
  };
  return answers[state] ?? '';
};

export const defaultColours: PromptColours = {
  background: '#ffffff',
  text: '#1a1a1a',
  accent: '#0b57d0',
  accentText: '#ffffff',
};
