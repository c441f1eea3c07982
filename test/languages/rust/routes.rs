use actix_web::{get, web, App, HttpServer};
use axum::{routing::{get as fetch, post}, Router};

#[get("/users/{id}")]
async fn user(id: web::Path<u32>) -> String {
    id.to_string()
}

async fn list() -> &'static str {
    "all"
}

async fn create() -> &'static str {
    "made"
}

pub fn app() -> Router {
    Router::new().route("/users", post(create)).route("/all", axum::routing::get(list))
}
