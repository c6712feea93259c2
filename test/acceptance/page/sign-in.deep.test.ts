// With one link at two processes too.
import './sign-in.test.ts';
