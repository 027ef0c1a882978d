import { answerBeside } from '../../network/beside.ts';
import { makeIcon } from './make-icon.ts';

answerBeside(makeIcon);
