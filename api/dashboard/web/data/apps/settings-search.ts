/** In the order in which they stand; the first is shown where the address names none. */
export const settingsTabs = ['site', 'notifications', 'limits', 'approval', 'tests', 'data'] as const;
export type SettingsTab = (typeof settingsTabs)[number];

export interface SettingsSearch {
  readonly tab?: SettingsTab;
}

export const settingsSearch = ({ tab }: Record<string, unknown>): SettingsSearch => {
  const named = settingsTabs.find((each) => each === tab);
  return named === undefined || named === settingsTabs[0] ? {} : { tab: named };
};
