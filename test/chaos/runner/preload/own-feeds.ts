import { breakSource } from './break-source.ts';

/** Feeds are read from the public internet alone; those of a run are served by the run itself. */
breakSource('/engine/network/public-addresses.ts', "['127.0.0.0', 8, 'ipv4'],", '');
