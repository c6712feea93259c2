import { describeKeysOfWords } from './replayed-key-stories.ts';

describeKeysOfWords();
