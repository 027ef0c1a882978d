import { step } from '../../engine/kit/command-line/steps.ts';
import { readUpConfig } from '../settings/config.ts';
import { refuseBusyPorts } from './busy-ports.ts';
import { checkRoles } from './read-roles.ts';
import { steps } from './steps.ts';

/**
 * `broadside up`. What can be refused at once is refused before the roles' modules are loaded, which takes
 * seconds, and before a database starts.
 */
export async function startUp(): Promise<void> {
  const up = readUpConfig();
  const { config, reportingConfig } = checkRoles(up);
  await refuseBusyPorts([
    { setting: 'API_PORT', host: config.apiHost, port: config.apiPort },
    { setting: 'INTERNAL_PORT', host: config.internalHost, port: config.internalPort },
    {
      setting: 'REPORTING_PORT',
      host: reportingConfig.reportingHost,
      port: reportingConfig.reportingPort,
    },
    ...(reportingConfig.reportWirePort === null
      ? []
      : [
          {
            setting: 'REPORT_WIRE_PORT',
            host: reportingConfig.reportWireHost,
            port: reportingConfig.reportWirePort,
          },
        ]),
  ]);
  const { runUp } = await step(steps.load, () => import('./up.ts'));
  await runUp();
}
