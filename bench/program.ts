import { Command } from 'commander';
import { addApiCommand } from './api/command.ts';
import { addBackupCommand } from './backup/command.ts';
import { addCheckCommand } from './check/command.ts';
import { addCostsCommand } from './costs/command.ts';
import { addSoakCommand } from './encryption/command.ts';
import { addEnginesCommand } from './engines/command.ts';
import { addFirstMinuteCommand } from './first-minute/command.ts';
import { addFlowCommand } from './flow/command.ts';
import { addHandOffCommand } from './hand-off/command.ts';
import { addImportCommand } from './import/command.ts';
import { addMicroCommand } from './micro/command.ts';
import { addNeighboursCommand } from './neighbours/command.ts';
import { addPagesCommand } from './pages/command.ts';
import { addPeersCommand } from './peers/command.ts';
import { addReplicasCommand } from './replicas/command.ts';
import { addReportingCommand } from './reporting/command.ts';
import { addScaleCommand } from './scale/command.ts';
import { addScheduleCommand } from './schedule/command.ts';
import { addSimulateCommand } from './simulation/command.ts';
import { addStartCommand } from './start/command.ts';
import { addTuneCommand } from './tune/command.ts';

const commands = [
  addFlowCommand,
  addMicroCommand,
  addPeersCommand,
  addScaleCommand,
  addHandOffCommand,
  addTuneCommand,
  addCheckCommand,
  addApiCommand,
  addImportCommand,
  addNeighboursCommand,
  addReportingCommand,
  addScheduleCommand,
  addEnginesCommand,
  addReplicasCommand,
  addCostsCommand,
  addStartCommand,
  addFirstMinuteCommand,
  addSimulateCommand,
  addBackupCommand,
  addPagesCommand,
  addSoakCommand,
];

/** `npm run bench`, with a command for each part. */
export function benchProgram(): Command {
  const program = new Command('npm run bench --').description('Measures Broadside on this machine.');
  for (const addCommand of commands) addCommand(program);
  return program;
}
