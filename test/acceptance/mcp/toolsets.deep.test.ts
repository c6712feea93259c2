// With hidden tools and the scopes of keys too.
import './toolsets.test.ts';
