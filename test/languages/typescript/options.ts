import { defineComponent } from 'vue';
import { Base } from './base';

export const Card = defineComponent({
  extends: Base,
  data: () => ({ count: 0 }),
  methods: {
    add() {
      this.count += this.step();
    },
    step: () => 1,
  },
});

export const Plain = defineComponent((props: { user: string }) => {
  return () => props.user;
});

export default defineComponent({
  name: 'NButton',
  render() {
    return null;
  },
});
