import { readFileSync, writeFileSync } from 'node:fs';
import { guideFile, guideWithTable, schemaFile, valuesSchema } from './values.ts';

/** `npm run chart`: writes what follows from the chart's values and from the settings of the roles. */
writeFileSync(schemaFile, valuesSchema());
writeFileSync(guideFile, guideWithTable(readFileSync(guideFile, 'utf8')));
