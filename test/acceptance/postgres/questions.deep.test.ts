import { describeQuestionRounds } from '../mcp/http/question-scenarios.ts';

describeQuestionRounds();
