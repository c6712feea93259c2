import { describeKeysOfWords } from '../changes/replayed-key-stories.ts';

describeKeysOfWords();
