import { Button, Menu } from './ui';
import * as icons from './icons';

export function App({ title, children }: Props) {
  const onClick = () => save(title);
  return (
    <Layout title={title} {...rest}>
      <Button onClick={onClick} icon={icons.plus} render={() => <Menu.Item value={1} />}>
        {children}
      </Button>
      <icons.Close<string> />
      <div className="x">{list.map((one) => <Row key={one.id} {...one} />)}</div>
      <></>
    </Layout>
  );
}

const Title: FC<{ text: string }> = ({ text }) => <h1>{text}</h1>;
export const Wrapped = memo(Title);
const generic = <T,>(value: T) => value;
