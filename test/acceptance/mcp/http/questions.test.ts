import { describeQuestionRounds } from './question-scenarios.ts';

describeQuestionRounds();
