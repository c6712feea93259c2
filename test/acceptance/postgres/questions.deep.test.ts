import { describeQuestionRounds, describeSharedSecret } from '../mcp/http/question-scenarios.ts';

describeQuestionRounds();
describeSharedSecret();
