import { answerBeside } from '../../network/beside.ts';
import { readWholeImage } from './whole-image.ts';

answerBeside(readWholeImage);
