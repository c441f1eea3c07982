export default (app: App) => app.start();
