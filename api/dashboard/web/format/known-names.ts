/** Names that browsers give themselves, as Broadside writes them: suggestions, others can be typed. */
export const knownBrowsers: readonly string[] = [
  'Chrome',
  'Firefox',
  'Microsoft Edge',
  'Opera',
  'Safari',
  'Samsung Internet for Android',
  'Vivaldi',
  'Yandex Browser',
];

export const knownSystems: readonly string[] = ['Android', 'Chrome OS', 'iOS', 'Linux', 'macOS', 'Windows'];

export const deviceTypes = ['desktop', 'mobile', 'tablet'] as const;
