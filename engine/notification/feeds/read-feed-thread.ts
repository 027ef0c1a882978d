import { answerBeside } from '../../network/beside.ts';
import { readFeedHere } from './read-feed.ts';

answerBeside(readFeedHere);
