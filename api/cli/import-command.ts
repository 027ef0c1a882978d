import type { Command } from 'commander';

export function addImportCommand(_program: Command): void {}
