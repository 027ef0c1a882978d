/** Of a row of `deliveries`: an app's figures, alerts and calendar are of what its editors sent to readers. */
export const IS_COUNTED = `NOT rehearsal AND NOT test AND source_type <> 'welcome'`;
