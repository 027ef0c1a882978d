type Detail = (name: string) => string;

/** Of the page of alerts: channels, and what was sent. */
export const alerts = {
  alerts: {
    title: 'Alerts',
    description:
      'Who is notified when something needs attention, and what was sent. Only admins see this page.',
    emptyTitle: 'No alert channels yet',
    empty:
      'Broadside alerts your organization by e-mail, webhook or Slack: for example, when a delivery fails, a push service throttles an app, or unusually many readers unsubscribe. Add a channel first, then send a test alert to it.',
    channels: 'Channels',
    add: 'Add a channel',
    make: 'Add channel',
    added: (name: string): string => `${name} was added.`,
    kind: 'Kind',
    kinds: { email: 'E-mail', webhook: 'Webhook', slack: 'Slack-compatible webhook' },
    number: (id: number): string => `Channel ${id}`,
    address: 'Address',
    addressHints: {
      email: 'One e-mail address.',
      webhook: 'An https URL on the public internet. Broadside signs its requests.',
      slack:
        'The URL that Slack, or a service compatible with it, gave you. Later, only its origin is shown.',
    },
    addressMissing: 'Enter an address.',
    wanted: 'Alerts it receives',
    wantedMissing: 'Choose at least one.',
    labels: {
      'delivery-failed': 'Failed deliveries',
      'delivery-stuck': 'Stuck deliveries',
      'standing-changed': 'Throttling',
      'unusual-unsubscribing': 'Many readers left',
      'ad-statistics-late': 'Late ad statistics',
      'feed-broken': 'Broken feeds',
      test: 'Test alert',
    },
    when: {
      'delivery-failed': 'A delivery ended as failed.',
      'delivery-stuck': 'A delivery made no progress for an hour.',
      'standing-changed': 'A push service started or stopped throttling an app.',
      'unusual-unsubscribing': 'Unusually many readers unsubscribed after a delivery.',
      'ad-statistics-late': 'Ad statistics are more than 48 hours late. For organizations that see earnings.',
      'feed-broken': 'A feed could not be read three times in a row, or can be read again.',
    },
    status: 'Status',
    enabled: 'Enabled',
    disabled: 'Disabled',
    lastAnswer: 'Last answer',
    secretTitle: 'Webhook secret',
    secret: 'Secret',
    once: 'Copy the secret now and keep it safe: it is never shown again. If it is lost, delete the channel and add it again.',
    secretUse:
      'With the secret, your program verifies that an alert comes from Broadside (Standard Webhooks).',
    kept: 'I have copied it',
    changeName: (name: string): string => `Edit ${name}`,
    changeHint: 'For another address, add another channel.',
    changed: (name: string): string => `${name} was changed.`,
    enable: 'Enable',
    enableName: (name: string): string => `Enable ${name}`,
    nowEnabled: (name: string): string => `${name} was enabled.`,
    disable: 'Disable',
    disableName: (name: string): string => `Disable ${name}`,
    nowDisabled: (name: string): string => `${name} was disabled: it gets no new alerts.`,
    deleteName: (name: string): string => `Delete ${name}`,
    question: (name: string): string => `Delete ${name}?`,
    consequence:
      'Alerts waiting for this channel are not sent, and those already sent to it disappear from the history. This cannot be undone.',
    deleteAct: 'Delete channel',
    deleted: (name: string): string => `${name} was deleted.`,
    test: 'Send a test alert',
    testName: (name: string): string => `Send a test alert to ${name}`,
    testing: (name: string): string => `The test alert to ${name} is on its way.`,
    testSent: (name: string, answer: string): string => `The test alert reached ${name}: ${answer}.`,
    testFailed: (name: string, answer: string): string => `The test alert did not reach ${name}: ${answer}.`,
    testAgain: (name: string, answer: string): string =>
      `The test alert has not reached ${name} yet: ${answer}. Broadside tries again; see the history for the outcome.`,
    testLate: (name: string): string =>
      `No answer from ${name} yet. The history shows it when there is one. Test alerts are sent while an engine runs.`,
    history: 'History',
    historyHint: 'The alerts of the last 90 days, newest first.',
    historyEmpty: 'There were no alerts in the last 90 days.',
    at: 'Time',
    what: 'Alert',
    sends: 'Sent to',
    nowhere: 'no channel',
    states: {
      waiting: 'Waiting',
      held: 'Held back',
      summed: 'Combined',
      sent: 'Sent',
      failed: 'Failed',
    },
    more: (count: string): string => `stands for ${count} more`,
    happened: {
      'delivery-failed': (of: Detail): string => `“${of('name')}” failed. ${of('reason')}`,
      'delivery-stuck': (of: Detail): string =>
        `“${of('name')}” has made no progress for more than ${of('minutes')} minutes.`,
      'standing-changed': (of: Detail): string => {
        if (of('standing') === 'normal') return `${of('service')} no longer limits this app.`;
        return of('probable_end') === ''
          ? `Since ${of('since')}, ${of('service')} accepts at most ${of('allowed_per_minute')} messages per minute from this app.`
          : `Since ${of('since')}, ${of('service')} accepts at most ${of('allowed_per_minute')} messages per minute from this app, probably until ${of('probable_end')}.`;
      },
      'unusual-unsubscribing': (of: Detail): string =>
        `${of('unsubscribed')} readers unsubscribed within an hour of “${of('name')}”.`,
      'ad-statistics-late': (of: Detail): string =>
        `Ad statistics are complete only until ${of('complete_until')}.`,
      'feed-broken': (of: Detail): string =>
        of('state') === 'broken'
          ? `Nothing new is sent from “${of('name')}”: its feed cannot be read. ${of('reason')}`
          : `The feed of “${of('name')}” can be read again.`,
      test: (_of: Detail): string => 'An admin tested the channel.',
    },
  },
} as const;
