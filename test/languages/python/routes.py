from flask import Blueprint, Flask, request
from flask.views import MethodView, View
from fastapi import APIRouter, FastAPI
import httpx

from . import imported_bp, mock_api
from .factory import create_app
from .store import list_users, save_user

PATH = "/from/a/name"

app = Flask(__name__)
api = Blueprint("api", __name__, url_prefix="/api")
admin = Blueprint("admin", __name__, url_prefix="/not-used")
app.register_blueprint(api)
app.register_blueprint(admin, url_prefix="/admin")
made = create_app()


@app.route("/")
def index():
    return list_users()


@app.route("/users", methods=["GET", "POST"])
@app.route("/people", methods=("get",))
def users():
    return save_user(request.json)


@api.get("/users/<int:id>")
@require(PATH)
async def user(id):
    return list_users(id)


@admin.route(PATH)
def by_name():
    pass


@imported_bp.post("/imported")
@made.route(f"/made/{PATH}")
def elsewhere():
    pass


class UserAPI(MethodView):
    def get(self):
        return list_users()

    def delete(self):
        pass


class Page(View):
    pass


app.add_url_rule("/class", view_func=UserAPI.as_view("user"))
app.add_url_rule("/page", "page", Page.as_view("page"))
api.add_url_rule("/rule", "rule", users, methods=["PUT"])


def factory() -> Flask:
    app = Flask("inner")

    @app.route("/inner")
    def inner():
        return list_users()

    return app


def attach(service: FastAPI, other):
    @service.get("/typed")
    def typed():
        pass

    @other.get("/handed-in")
    def handed():
        pass


router = APIRouter(prefix="/items")
parent = APIRouter(prefix="/v1")
service = FastAPI()
parent.include_router(router)
service.include_router(parent, prefix="/api")
service.include_router(imported_bp)


@router.get("")
@router.get("/{item_id}", response_model=dict)
async def item(item_id: int):
    return list_users()


@service.api_route("/any", methods=["GET", "HEAD"])
@service.websocket("/ws")
def anything():
    pass


router.add_api_route("/added", item, methods=["POST"])


class Server:
    def __init__(self):
        self.app = Flask("server")

    def routes(self):
        self.app.add_url_rule("/self", "self", self.home)

        @self.app.get("/method")
        def method():
            pass

    def home(self):
        pass


# No routes: a client, a mock, a dictionary, a decorator that is none.
httpx.get("/users")
{}.get("/x")
client = httpx.Client()
client.get("/users")


@mock_api.get("/mocked")
@cached.get
@app.errorhandler(404)
@app.route
def nothing():
    pass
