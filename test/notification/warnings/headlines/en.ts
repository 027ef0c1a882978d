/** As newsrooms write them, news about deception among them. None of them deceives anybody. */
export const headlines = `
Parliament passes budget after all-night session
Storm warning for the coast: trains cancelled until Thursday
Central bank holds interest rates for third month
Two dead after avalanche in the Alps
Ceasefire talks resume in Geneva
City beat United 3–1 in derby thriller
Flood alert: thousands told to leave their homes
Warning over contaminated baby food
Scientists find two new viruses in bats
New Ebola virus detected in Uganda
Bird flu virus found in dairy cows
Millions of routers infected with malware, researchers say
Police warn of fake parcel texts
Scammers pose as bank staff: how to spot the call
“Your account has been suspended”: the text message that cost a pensioner her savings
How to tell if your phone has been hacked
Is your phone infected? Five signs to look for
What to do when your card is blocked abroad
Why your account could be closed under new banking rules
Your computer may be at risk: what the latest Windows flaw means
Microsoft fixes 60 security flaws in Windows
Google security chief steps down
Apple warns users of spyware attacks in 92 countries
Update Chrome now: Google closes actively exploited hole
Chrome update breaks password manager for some users
Windows 10 support ends: what your options are
Samsung recalls phones with faulty batteries
Bitcoin passes 100,000 dollars for the first time
Bitcoin doubles in value within a year
How to double your savings before retirement
Crypto exchange collapses: customers wait for their money
Man jailed for bitcoin scam that promised to double deposits
Lottery: pensioner from Leeds wins 38 million
Have you won? The lottery numbers for Saturday
The prize that nobody claims: 5 million waiting in unclaimed winnings
Nobel prize goes to three physicists
She won the prize and gave it away
“You have won!” – the old trick with the sweepstakes is back
Congratulations pour in as Smith wins Nobel prize
PayPal raises fees for small businesses
Amazon to cut 14,000 jobs
Netflix ends password sharing: your account and the new rules
Hackers publish data of two million patients
Fraudsters use AI voices to call grandparents
The virus that changed the world: five years of Covid
Your weekend in five pictures
Your guide to the local elections
Your money: what the new tax year brings
You decide: which song should open the festival?
Last chance to see the northern lights this year
Verify before you share: how we check pictures
Confirmed: summit will take place in Prague
Live: follow the count with us
Breaking: prime minister resigns
Goal! Germany lead after 12 minutes
Rail strike from Monday: these lines are affected
House prices fall for the sixth month
Battery factory to create 3,000 jobs
Phone ban in schools from September
Your parcel, your rights: what couriers must pay for
Facebook suspends account of former president
Hundreds of accounts blocked after cyberattack on bank
Morning briefing: the three stories to know today
`
  .trim()
  .split('\n');

/** As deceptive notifications have them. */
export const deceptions: Readonly<Record<string, readonly string[]>> = {
  'account-threat': [
    'Your account has been suspended!',
    'Your bank account will be locked',
    'Verify your identity now',
    'Update your payment details within 24 hours',
    'Unusual sign-in on your account',
    'Your package is on hold',
  ],
  prize: [
    'You have won!',
    "You've won an iPhone 17",
    'Congratulations, you have been selected',
    'You are the lucky winner',
    'Claim your reward',
    'You won $1000',
  ],
  'fake-system-message': [
    'Your phone is infected',
    'Virus detected!',
    'Warning: 5 viruses found on your device',
    'Your battery is damaged',
    'Clean your phone now',
    '⚠️ This device has been compromised',
  ],
  impersonation: [
    'Chrome security alert',
    'Google alert: your photos will be deleted',
    'Your browser is out of date',
    'System update required',
  ],
  'money-doubling': [
    'Double your bitcoin',
    'Send 1 BTC and receive 2 BTC back',
    'Guaranteed profits',
    'Triple your money',
  ],
};
