// Long reads too.
import './shared-answers.test.ts';
