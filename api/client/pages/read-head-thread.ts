import { answerBeside } from '../../../engine/network/beside.ts';
import { readHeadHere } from './read-page.ts';

answerBeside(readHeadHere);
