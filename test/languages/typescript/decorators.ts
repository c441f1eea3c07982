@Component({ selector: 'app' })
/** Documented behind its decorator. */
export class App {
  /** Documented before. */
  @Input() @Alias('n')
  name: string;

  @Input()
  /** Documented behind. */
  count = 1;

  constructor(@Inject(TOKEN) private readonly service: Service) {}

  @HostListener('click', ['$event'])
  onClick(@Param() event: Event) {}
}
